// Builds the console into files that the management server answers below /console/.
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  build: {
    outDir: '../../dist/apps/console',
    emptyOutDir: true,
    // Its policy allows no content in URLs for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
