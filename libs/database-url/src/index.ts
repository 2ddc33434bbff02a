// Public API of the library.
export {
  describeDatabase,
  urlFormatViolation,
  isSameDatabase,
  urlViolation,
} from './database-url.js';
