// Imported on demand, because the library is large: the build does not rewrite `@tessera/…` in an `import()`.
export { closestKey } from '@tessera/config';
