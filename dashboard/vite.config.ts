/**
 * How the dashboard is built. Addresses stay relative: where the service stands is known only when a page is asked
 * for. `npx vite dashboard` serves it from its sources, beside a service on port 3000.
 */
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

const SERVICE = 'http://127.0.0.1:3000'

export default defineConfig({
  base: './',
  plugins: [react(), tailwind()],
  // The client as it stands in this repository, not as it is published.
  resolve: { conditions: ['posthorn:source', ...defaultClientConditions] },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 700 },
  server: {
    proxy: Object.fromEntries(
      'auth users projects config contacts templates emails events domains suppressions segments campaigns workflows activity analytics uploads invitations v1'
        .split(' ')
        .map((noun) => [`/${noun}`, { target: SERVICE, bypass: forPages }]),
    ),
  },
})

/** Addresses of pages and of the API look alike here: a browser that asks for a page gets the page. */
function forPages(request: { headers: { accept?: string } }): string | undefined {
  return request.headers.accept?.includes('text/html') ? '/index.html' : undefined
}
