// The answer to a login over REST: an HTML page with a form, or the ticket id as text.
import { BARE_POLICY, escapeHtml, html, text, type Answer } from '@tessera/server';

/**
 * The first type of `Accept` selects the format. `Location` contains the id in both.
 * @param location absolute URL of the new TGT
 */
export function createdAnswer(location: string, tgt: string, accept: string | undefined): Answer {
  const wantsPage = accept === undefined || /^\s*(\*\/\*|text\/html)/i.test(accept);
  const headers = { Location: location };
  if (!wantsPage) return text(201, tgt, headers);
  const policy = `${BARE_POLICY}; form-action ${new URL(location).origin}`;
  return html({ status: 201, body: page(location), baseUrl: location, policy, headers });
}

function page(location: string): string {
  return (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>201 Created</title></head>' +
    `<body><h1>TGT Created</h1><form action="${escapeHtml(location)}" method="POST">` +
    'Service:<input type="text" name="service" value=""><br>' +
    '<input type="submit" value="Submit"></form></body></html>'
  );
}
