/** The order of the guides in the sidebar of the site. A guide that is not listed is in the last section. */
import type { Guide } from './guides.ts'

const SECTIONS: Array<[title: string, names: string]> = [
  ['Get started', 'start send templates contacts domains'],
  ['Audience', 'segments topics consent forms import'],
  ['Marketing and automation', 'campaigns workflows'],
  ['Events and results', 'webhooks feedback inbound analytics'],
  ['API and tools', 'api errors keys sdk clients cli mcp smtp'],
  ['Dashboard and accounts', 'dashboard design accounts billing privacy'],
  [
    'Operate Posthorn',
    'deploy configuration mail transports operate observability backup upgrade scale retention guarantees',
  ],
]

export interface NavigationSection {
  title: string
  pages: Array<{ name: string; title: string }>
}

export function guideSections(guides: Guide[]): NavigationSection[] {
  const left = new Map(guides.map((guide) => [guide.name, guide]))
  const take = (names: string[]) =>
    names.flatMap((name) => {
      const guide = left.get(name)
      left.delete(name)
      return guide ? [{ name, title: guide.title }] : []
    })
  const below = (folder: string) => take([...left.keys()].filter((name) => name.startsWith(folder)))
  const listed = SECTIONS.map(([title, names]) => ({ title, pages: take(names.split(' ')) }))
  const [first, ...others] = listed
  const sections = [
    first!,
    { title: 'Recipes', pages: below('recipes/') },
    { title: 'Move to Posthorn', pages: below('migrate/') },
    ...others,
    { title: 'More', pages: take([...left.keys()]) },
  ]
  return sections.filter(({ pages }) => pages.length > 0)
}
