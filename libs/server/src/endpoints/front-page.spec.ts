import { expect, test } from '@jest/globals';
import { renderFrontPage } from './front-page.js';

test('escapes what the page contains', () => {
  const { body } = renderFrontPage({
    title: 'A <b>',
    paragraphs: ['1 < 2 & "3"'],
    pages: [['/x', 'x & y']],
    contextPath: '/a&b"c',
    baseUrl: 'http://localhost',
  });
  expect(body).toContain('<title>A &lt;b></title>');
  expect(body).toContain('<p>1 &lt; 2 &amp; &quot;3&quot;</p>');
  expect(body).toContain('<a href="/a&amp;b&quot;c/health/live">Health: live</a>');
  expect(body).toContain('<a class="button" href="/a&amp;b&quot;c/x">x &amp; y</a>');
});
