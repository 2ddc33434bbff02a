// The answer to a login over REST: an HTML page with a form, or the ticket id as text.
import { escapeHtml, TEXT, type Answer } from '@tessera/server';

/**
 * The first type of `Accept` selects the format. `Location` contains the id in both.
 * @param location absolute URL of the new TGT
 */
export function createdAnswer(location: string, tgt: string, accept: string | undefined): Answer {
  const wantsPage = accept === undefined || /^\s*(\*\/\*|text\/html)/i.test(accept);
  return {
    status: 201,
    type: wantsPage ? 'text/html;charset=UTF-8' : TEXT,
    body: wantsPage ? page(location) : tgt,
    headers: { Location: location },
  };
}

function page(location: string): string {
  return (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>201 Created</title></head>' +
    `<body><h1>TGT Created</h1><form action="${escapeHtml(location)}" method="POST">` +
    'Service:<input type="text" name="service" value=""><br>' +
    '<input type="submit" value="Submit"></form></body></html>'
  );
}
