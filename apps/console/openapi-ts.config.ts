// Generates the client of the operator's API into src/api/generated, from its description.
import { defineConfig } from '@hey-api/openapi-ts';

export default defineConfig({
  input: 'apps/sso/src/operator/openapi.yaml',
  output: 'apps/console/src/api/generated',
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
});
