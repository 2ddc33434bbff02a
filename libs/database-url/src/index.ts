export {
  describeDatabase,
  urlFormatViolation,
  isSameDatabase,
  urlViolation,
} from './database-url.js';
