// Calls of the front channel: URLs by which a browser tells applications of the end of a session.

/** A logout URL with further parameters and without a fragment; none for a text that is no URL. */
export function frontChannelCall(
  address: string,
  parameters: Readonly<Record<string, string>>,
): readonly string[] {
  const url = URL.parse(address);
  if (url === null) return [];
  url.hash = '';
  const added = new URLSearchParams(parameters).toString();
  url.search = url.search === '' ? added : `${url.search}&${added}`;
  return [url.href];
}
