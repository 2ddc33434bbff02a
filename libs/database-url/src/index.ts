// What others may use of the URLs of databases.
export { databaseNamedBy, formFault, isSameDatabase, urlFault } from './database-url.js';
