// Reads YAML, `.properties` and XML texts as Spring Boot does, and rewrites protected values in them.
export { isActive, withActivation } from './activation.js';
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
  findEmbeddedValues,
  findProtectedValues,
  replaceProtectedValues,
  type EmbeddedValue,
  type ProtectedValue,
  type SourceKind,
} from './rewriting/protected-values.js';
export { yamlTokens } from './yaml-documents.js';
export { explainYamlError } from './yaml-errors.js';
export { readXmlProperties } from './xml-reader.js';
export { readYaml } from './yaml-reader.js';
