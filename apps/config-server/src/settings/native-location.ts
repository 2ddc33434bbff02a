// Parses the location of the backend `native`: a path, or a `file:` URL as in Spring Cloud Config.

const FILE_URL = /^file:(?:\/\/(?<host>[^/]*))?(?<path>.*)$/is;
/** A single letter is a Windows drive. */
const SCHEME = /^(?<scheme>[a-z][a-z0-9+.-]+):/i;

/** The violation of a location in the settings. */
export function nativeLocationViolation(location: string): string | undefined {
  const { scheme = 'file' } = SCHEME.exec(location)?.groups ?? {};
  if (scheme.toLowerCase() === 'classpath') {
    return 'must be a directory: put the files of the class path into one';
  }
  if (scheme.toLowerCase() !== 'file') {
    return 'must be a path or a file: URL; the backend git serves repositories';
  }
  const host = FILE_URL.exec(location)?.groups?.['host'] ?? '';
  if (!/^(?:localhost)?$/i.test(host)) {
    return 'must be a directory of this machine: file:/absolute or file:./relative';
  }
  if (/[{}]/.test(location)) {
    return 'may hold no placeholders; config-server.native.search-paths may';
  }
  return /^[^\0]+$/.test(nativeDirectory(location)) ? undefined : 'must name a directory';
}

/** The directory of a location; empty where the location is invalid. */
export function nativeDirectory(location: string): string {
  const path = FILE_URL.exec(location)?.groups?.['path'];
  if (path === undefined) return location;
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
