/**
 * Builds the dashboard. Asset addresses are relative because the path of the service is known only at run time.
 * `npx vite dashboard` serves the sources next to a service on port 3000.
 */
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

const SERVICE = 'http://127.0.0.1:3000'

/** What every page needs. The first one loads nothing of the editors and lists. */
const FIRST_PAGE = new RegExp(
  [
    'dashboard/(addresses|links|navigation)\\.',
    'dashboard/figures/(change|moment|rates|reputation|totals)\\.',
    'dashboard/data/(api|connection|errors|live|project|reachable|stream|unsaved|use-action|use-sign-in|use-debounced|contact-name)',
    'dashboard/lists/(empty-state|problem|progress|row-link|table)\\.',
    'dashboard/shell/(account-menu|error|horn|page|parse-rich-text|rich-text|shortcuts|texts)[-.]',
    'dashboard/ui/(badge|button|copy|field|menu|tabs|toast)\\.',
    'dashboard/pages/templates/use-default-sender',
    'dashboard/pickers/find-contacts',
    'dashboard/mail/captured-notice',
  ].join('|'),
)

/** What runs before the texts of the language are loaded. Nothing in it may read a text. */
const BEFORE_TEXTS = /vite\/preload-helper|dashboard\/(languages\/(language|load)|look\/theme)\./

export default defineConfig({
  base: './',
  plugins: [react(), tailwind(), preloadStart()],
  // Use the SDK sources of this repository instead of the published package.
  resolve: { conditions: ['posthorn:source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rollupOptions: {
      output: {
        // What at least four pages use is one file, or part of the file that the first page loads. Otherwise each icon would be
        // one, and a page would load up to 67 files.
        codeSplitting: {
          groups: [
            { name: 'language', test: BEFORE_TEXTS, priority: 3 },
            { name: 'format', test: /dashboard\/figures\/format\./, priority: 3 }, // texts of languages need nothing else
            { name: 'first', test: FIRST_PAGE, priority: 2 },
            { name: 'first', test: /\/(node_modules|sdk)\//, minShareCount: 4, priority: 1 },
            { name: 'shared', minShareCount: 4 },
          ],
        },
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

/** Loads the dashboard while the texts of the language are loaded, instead of after them. */
function preloadStart(): Plugin {
  return {
    name: 'preload-start',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
        const files = new Set(chunks.filter(({ name }) => name === 'start').map(({ fileName }) => fileName))
        for (const file of files)
          for (const other of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) files.add(other)
        const missing = [...files].filter((file) => !html.includes(file))
        return missing.map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
          injectTo: 'head',
        }))
      },
    },
  }
}

/** Pages and API endpoints share addresses here; requests for HTML get the page. */
function servePage(request: { headers: { accept?: string } }): string | undefined {
  return request.headers.accept?.includes('text/html') ? '/index.html' : undefined
}
