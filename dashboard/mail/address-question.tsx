/** Before marketing email is sent from a project that hasn't said where its postal address is. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { projectsQuery, type Schemas, userApi } from '../data/api.ts'
import { useCanManage, useProject } from '../data/project.ts'
import { useAction } from '../data/use-action.ts'
import { Problem } from '../lists/problem.tsx'
import { Button } from '../ui/button.tsx'
import { TextArea } from '../ui/field.tsx'
import { addressTexts as T } from './texts.ts'

export function AddressQuestion({ type }: { type: Schemas['Campaign']['type'] }) {
  const project = useProject()
  const canManage = useCanManage()
  const queries = useQueryClient()
  const { run, busy, problem } = useAction()
  const [address, setAddress] = useState('')
  if (type === 'TRANSACTIONAL' || project.postalAddress || project.postalAddressInContent) return null
  const save = async (change: Parameters<typeof userApi.projects.update>[1]) => {
    if (!(await run(userApi.projects.update(project.id, change)))) return
    await queries.invalidateQueries(projectsQuery)
    void queries.invalidateQueries({ queryKey: [project.id, 'checks'] })
  }
  return (
    <section aria-label={T.title} className="space-y-3 rounded-card border border-line bg-panel p-4">
      <div>
        <p className="text-sm font-semibold">{T.title}</p>
        <p className="text-sm text-soft">{canManage ? T.lead : T.askAdmin}</p>
      </div>
      {canManage && (
        <>
          <TextArea
            label={T.address}
            hideLabel
            placeholder={T.placeholder}
            rows={2}
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
          {problem && <Problem error={problem} />}
          <div className="flex flex-wrap gap-2">
            <Button
              busy={busy}
              disabled={address.trim() === ''}
              onClick={() => void save({ postalAddress: address.trim() })}
            >
              {T.save}
            </Button>
            <Button kind="quiet" onClick={() => void save({ postalAddressInContent: true })}>
              {T.inContent}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}
