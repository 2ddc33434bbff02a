// Recognises service patterns that are written as globs: in https://x.org/* the star would repeat the slash.

const ESCAPE_OR_CLASS = /\\.|\[[^\]]*\]/gs;
/** Escaped characters and repeated dots stay. */
const PART = /\\.|\.[*+]|\.|\*+/gs;

/** The regular expression that a glob stands for; undefined for a text that is no glob. */
export function regularExpressionForGlob(pattern: string): string | undefined {
  if (!pattern.replace(ESCAPE_OR_CLASS, '').includes('/*')) return undefined;
  const [start = '', authority = ''] = /^.*?:\/\/([^/]*)/s.exec(pattern) ?? [];
  const scheme = start.slice(0, start.length - authority.length);
  // A star of the host must not match the end of the host.
  return `${scheme}${translate(authority, '[\\w.-]+')}${translate(pattern.slice(start.length), '.*')}`;
}

function translate(glob: string, star: string): string {
  return glob.replace(PART, (part) => {
    if (part === '.') return '\\.';
    return part.startsWith('*') ? star : part;
  });
}
