// Adds what HTML alone cannot: a button that shows the password, and a hint while Caps Lock is on.
const password = document.getElementById('password');
const button = document.getElementById('show-password');
const hint = document.querySelector('#caps-lock span');

button.hidden = false;
button.addEventListener('click', () => {
  const isShown = password.type === 'text';
  password.type = isShown ? 'password' : 'text';
  button.setAttribute('aria-pressed', String(!isShown));
});

for (const type of ['keydown', 'keyup', 'mousedown']) {
  password.addEventListener(type, (event) => {
    hint.hidden = !event.getModifierState('CapsLock');
  });
}

// A password never stays visible in a form that is sent: browsers would remember it as ordinary text.
password.form.addEventListener('submit', () => {
  password.type = 'password';
});
