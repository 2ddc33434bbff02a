import { expect, test } from '@jest/globals';
import { renderFrontPage } from './front-page.js';

test('escapes what the page contains', () => {
  const { body } = renderFrontPage({
    title: 'A <b>',
    paragraphs: ['1 < 2 & "3"'],
    contextPath: '/a&b"c',
    documents: [['<path>', 'x & y']],
  });
  expect(body).toContain('<title>A &lt;b></title>');
  expect(body).toContain('<p>1 &lt; 2 &amp; &quot;3&quot;</p>');
  expect(body).toContain('<a href="/a&amp;b&quot;c/health/live">/a&amp;b&quot;c/health/live</a>');
  expect(body).toContain('<li><code>&lt;path></code>: x &amp; y</li>');
});
