// Reads YAML and `.properties` texts as Spring Boot does, and rewrites protected values in them.
export { isActive } from './activation.js';
export { resolvePlaceholders } from './placeholders.js';
export { readProperties } from './properties-reader.js';
export {
  NumberLiteral,
  scalarText,
  type Origin,
  type Properties,
  type Property,
  type PropertyDocument,
  type Scalar,
} from './property-document.js';
export { PropertySourceError, type PropertySourceErrorCode } from './property-source-error.js';
export {
  findProtectedValues,
  replaceProtectedValues,
  type ProtectedValue,
  type SourceKind,
} from './rewriting/protected-values.js';
export { yamlTokens } from './yaml-documents.js';
export { explainYamlError } from './yaml-errors.js';
export { readYaml } from './yaml-reader.js';
