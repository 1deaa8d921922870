/** The UTM parameters of a campaign: those of the project, its own, or none. */

import { useProject } from '../../data/project.ts'
import type { useAction } from '../../data/use-action.ts'
import { Card } from '../../shell/page.tsx'
import { fieldError, Input, Select } from '../../ui/field.tsx'
import type { Draft } from './draft.ts'
import { texts } from './texts.ts'

type Utm = Draft['utm']

const NONE = { source: null, medium: null, campaign: null }
const PARTS = ['source', 'medium', 'campaign'] as const
const T = texts.links

const modeOf = (utm: Utm): 'project' | 'none' | 'own' =>
  utm ? (PARTS.some((part) => utm[part] !== null) ? 'own' : 'none') : 'project'

export function LinkParameters({
  utm,
  error,
  onChange,
}: {
  utm: Utm
  error: ReturnType<typeof useAction>['error']
  onChange(change: { utm: Utm }): void
}) {
  const project = useProject()
  const mode = modeOf(utm)
  const start = project.utm ?? { source: 'posthorn', medium: 'email', campaign: '{{ campaign.name }}' }
  const setMode = (chosen: string) => onChange({ utm: chosen === 'project' ? null : chosen === 'none' ? NONE : start })
  return (
    <Card title={T.title} lead={T.lead}>
      <div className="space-y-4">
        <Select
          label={T.mode}
          className="max-w-sm"
          value={mode}
          options={{ project: project.utm ? T.project : T.projectNone, own: T.own, none: T.none }}
          onChange={(event) => setMode(event.target.value)}
        />
        {mode === 'own' && (
          <div className="grid gap-4 sm:grid-cols-3">
            {PARTS.map((part) => (
              <Input
                key={part}
                label={T.parts[part]}
                maxLength={200}
                value={utm?.[part] ?? ''}
                error={fieldError(error, `utm.${part}`)}
                onChange={(event) => onChange({ utm: { ...NONE, ...utm, [part]: event.target.value } })}
              />
            ))}
          </div>
        )}
      </div>
    </Card>
  )
}
