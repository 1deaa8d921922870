/** What the documentation site is made from, and how its pages link to each other. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Guide, readGuide } from '../server/platform/guides/guides.ts'
import type { LinkTo } from '../server/platform/guides/site-page.ts'

const DOCS = path.resolve('docs')
const SITE = path.resolve('server/platform/guides/site')

/** The sub-folders of docs/ with guides. */
const FOLDERS = ['', 'migrate', 'recipes']

export async function readSiteSources(): Promise<{ guides: Guide[]; style: string; script: string }> {
  const guides = await Promise.all(FOLDERS.map(readGuides))
  return {
    guides: guides.flat(),
    style: await readFile(path.join(SITE, 'site.css'), 'utf8'),
    script: await readFile(path.join(SITE, 'site.mjs'), 'utf8'),
  }
}

async function readGuides(folder: string): Promise<Guide[]> {
  const names = (await readdir(path.join(DOCS, folder))).filter((name) => name.endsWith('.md')).sort()
  return Promise.all(
    names.map(async (file) => {
      const name = path.posix.join(folder, file.slice(0, -'.md'.length))
      return readGuide(name, await readFile(path.join(DOCS, folder, file), 'utf8'))
    }),
  )
}

const upFrom = (from: string): string => '../'.repeat(from.split('/').length - 1)

/** The service answers at `/docs`, `/docs/send` and `/docs/migrate/resend`. */
export const servedLink: LinkTo = (page, from) => {
  if (from === '') return page === '' ? 'docs' : `docs/${page}`
  return page === '' ? `${upFrom(from)}../docs` : upFrom(from) + page
}

/** Files that any web server can serve, and that work without one. */
export const staticLink: LinkTo = (page, from) => {
  const file = /\.\w+$/.test(page) ? page : `${page || 'index'}.html`
  return upFrom(from) + file
}
