// Sends the ticket to the application. Without JavaScript the user presses the button.
document.getElementById('post').submit();
