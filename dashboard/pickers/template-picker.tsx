/** Selects a template by name or subject, with a picture of each. The last edited ones are first. */
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { inProject, type Schemas, unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { Thumbnail } from '../mail/thumbnail/thumbnail.tsx'
import { pickerTexts } from '../shell/texts.ts'
import type { Choice } from './combobox.tsx'
import { withoutRepetitions } from './find-contacts.ts'
import { Picker } from './picker.tsx'
import { useRecent } from './use-recent.ts'
import { useServerChoices } from './use-server-choices.ts'

type Template = Schemas['Template']

const FOUND_MAX = 20

interface TemplatePickerProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: string
  /** The label of the choice of no template, if that can be chosen. */
  none?: string
  onChoose(id: string): void
}

const choiceOf = ({ id, name, subject, body }: Template): Choice => ({
  value: id,
  label: name,
  note: subject,
  picture: <Thumbnail isSmall html={body} />,
})

const templateQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [projectId, 'templates', id],
    enabled: id !== '',
    queryFn: () => unwrap(inProject(projectId).templates.get(id)),
  })

/** One template; nothing is loaded without an ID. */
export const useTemplateQuery = (id: string) => templateQuery(useApi().projectId, id)

/** The names of these templates by ID, as far as they are loaded. */
export function useTemplateNames(ids: (string | null | undefined)[]): Record<string, string> {
  const { projectId } = useApi()
  const used = [...new Set(ids)].filter((id) => typeof id === 'string')
  const results = useQueries({ queries: used.map((id) => templateQuery(projectId, id)) })
  return Object.fromEntries(results.flatMap(({ data }) => (data ? [[data.id, data.name]] : [])))
}

export function TemplatePicker({ value, none, onChoose, ...rest }: TemplatePickerProps) {
  const { api } = useApi()
  const [recent] = useRecent('template')
  const { data: chosen, isError } = useQuery(useTemplateQuery(value))
  const server = useServerChoices('templates', async (search) => {
    const list = api.templates.list({ pageSize: FOUND_MAX, sort: 'updatedAt', ...(search && { search }) })
    const first = search === '' ? recent.map(async (id) => (await api.templates.get(id)).data ?? []) : []
    const [found, ...before] = await Promise.all([unwrap(list), ...first])
    const all = [...before.flat(), ...found.data]
    return [
      ...(none === undefined || search !== '' ? [] : [{ value: '', label: none }]),
      ...withoutRepetitions(all).map(choiceOf),
    ]
  })
  return (
    <Picker
      {...rest}
      kind="template"
      placeholder={pickerTexts.templatePlaceholder}
      value={value}
      chosenLabel={value === '' ? none : isError ? pickerTexts.gone : chosen?.name}
      onChoose={onChoose}
      {...server}
    />
  )
}
