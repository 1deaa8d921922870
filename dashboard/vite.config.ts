/**
 * Builds the dashboard. Asset addresses are relative because the path of the service is known only at run time.
 * `npx vite dashboard` serves the sources next to a service on port 3000.
 */
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

const SERVICE = 'http://127.0.0.1:3000'

export default defineConfig({
  base: './',
  plugins: [react(), tailwind()],
  // Use the SDK sources of this repository instead of the published package.
  resolve: { conditions: ['posthorn:source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rollupOptions: {
      output: {
        // What at least four pages use is one file. Otherwise each icon would be one, and a page would load up to 67 files.
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 4 }] },
        // Fonts have no hash in their names, because the API reference uses them too.
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.woff2')) ? 'assets/[name][extname]' : 'assets/[name]-[hash][extname]',
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      'auth users projects config contacts templates emails events domains suppressions segments campaigns workflows activity analytics uploads invitations v1'
        .split(' ')
        .map((noun) => [`/${noun}`, { target: SERVICE, bypass: servePage }]),
    ),
  },
})

/** Pages and API endpoints share addresses here; requests for HTML get the page. */
function servePage(request: { headers: { accept?: string } }): string | undefined {
  return request.headers.accept?.includes('text/html') ? '/index.html' : undefined
}
