/** The guides, as resources and for the search of a model. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { tool } from './tool.ts'

interface Section {
  page: string
  heading: string
  text: string
}

const RESULTS_MAX = 5
const EXCERPT_MAX = 1_500

/** The sub-folders of docs/ with guides; the others are about the design of Posthorn. */
const FOLDERS = ['', 'migrate/', 'recipes/']

/** Such as `send` and `migrate/resend`. */
export async function listPages(folder: string): Promise<string[]> {
  const pages = FOLDERS.map(async (below) => {
    const names = await readdir(path.join(folder, below)).catch(() => [])
    return names.filter((name) => name.endsWith('.md')).map((name) => below + name.slice(0, -3))
  })
  return (await Promise.all(pages)).flat().sort()
}

export const readPage = (folder: string, page: string): Promise<string> =>
  readFile(path.join(folder, `${page}.md`), 'utf8')

export const searchDocs = (folder: string) =>
  tool({
    name: 'search_docs',
    description: 'Search the guides of Posthorn: how to do something, what a setting or an error means.',
    input: { query: z.string().min(2).max(200) },
    result: { results: 'array' },
    run: async (_api, { query }) => ({ results: findSections(await readSections(folder), query) }),
  })

async function readSections(folder: string): Promise<Section[]> {
  const pages = await listPages(folder)
  const texts = await Promise.all(pages.map((page) => readPage(folder, page)))
  return pages.flatMap((page, i) => sectionsOf(page, texts[i]!))
}

export function sectionsOf(page: string, markdown: string): Section[] {
  return markdown.split(/^(?=#{1,3} )/m).map((text) => ({ page, heading: /^#+ (.+)$/m.exec(text)?.[1] ?? page, text }))
}

/** By how many of the words a section has, in its heading first, then by how often. */
export function findSections(sections: Section[], query: string): { page: string; heading: string; text: string }[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])]
  const scored = sections.map((section) => {
    const text = section.text.toLowerCase()
    const heading = `${section.page} ${section.heading}`.toLowerCase()
    let score = 0
    for (const word of words) {
      const count = text.split(word).length - 1
      if (count > 0) score += 10 + Math.min(count, 5) + (heading.includes(word) ? 10 : 0)
    }
    return { section, score }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, RESULTS_MAX)
    .map(({ section: { page, heading, text } }) => ({ page, heading, text: text.slice(0, EXCERPT_MAX) }))
}
