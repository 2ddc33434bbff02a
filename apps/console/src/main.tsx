// The console of operators.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { client } from './api/generated/client.gen.js';
import { App } from './app.js';
import './styles/base.css';
import './styles/parts.css';
import './styles/tables.css';
import './styles/charts.css';

// React Aria adds its rule for elements that can be pressed as an inline style, which the policy of the page forbids,
// unless the page has it: parts.css has it.
document.querySelector('link[rel=stylesheet]')?.setAttribute('id', 'react-aria-pressable-style');

client.setConfig({ baseUrl: location.origin });

const root = document.querySelector('#console');
if (root === null) throw new Error('the page has no element #console');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
