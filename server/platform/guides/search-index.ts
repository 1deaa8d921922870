/** The index of the search of the site: one entry for each section of a guide and each endpoint. Pure. */
import type { OpenApiDocument } from '../openapi/openapi-shape.ts'
import type { ReferencePage } from '../openapi/reference-pages.ts'
import type { Guide } from './guides.ts'
import { slugify } from './markdown.ts'

/** `page` is the name of a page, with the anchor of the section. */
export interface SearchEntry {
  page: string
  title: string
  heading: string
  text: string
}

export const searchIndex = (guides: Guide[], document: OpenApiDocument, reference: ReferencePage[]): SearchEntry[] => [
  ...guides.flatMap(sectionsOf),
  ...endpoints(document, reference),
]

function sectionsOf({ name, title, text }: Guide): SearchEntry[] {
  const seen = new Map<string, number>()
  return withoutCode(text)
    .split(/^(?=#{1,3} )/m)
    .flatMap((section) => {
      const heading = withoutMarkup(/^#+ (.+)$/m.exec(section)?.[1] ?? '')
      if (heading === '') return []
      const id = slugify(heading)
      const before = seen.get(id) ?? 0
      seen.set(id, before + 1)
      const anchor = heading === title ? '' : `#${id}${before === 0 ? '' : `-${before}`}`
      return [{ page: name + anchor, title, heading, text: withoutMarkup(section.replace(/^#+ .+$/m, '')) }]
    })
}

/** The commands in a guide would be found by the words of their language. A line that begins with # is no heading there. */
const withoutCode = (markdown: string): string => markdown.replaceAll(/^```[\s\S]*?^```$/gm, '')

const withoutMarkup = (markdown: string): string =>
  markdown
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\|[-| :]+\|$/gm, '')
    .replaceAll(/[`*|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

function endpoints({ paths }: OpenApiDocument, reference: ReferencePage[]): SearchEntry[] {
  const pageOf = new Map(reference.flatMap(({ name, headings }) => headings.map(({ id }) => [id, name])))
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, description = '' }]) => ({
      page: `${pageOf.get(operationId)}#${operationId}`,
      title: `${method.toUpperCase()} ${path}`,
      heading: summary,
      text: withoutMarkup(description),
    })),
  )
}
