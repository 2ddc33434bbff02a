// Goes on to the application when the frames have notified the others of the logout, or after five seconds.
const goOn = () => location.replace(document.getElementById('next').href);
addEventListener('load', goOn);
setTimeout(goOn, 5_000);
