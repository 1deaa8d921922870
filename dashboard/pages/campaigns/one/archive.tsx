/** Whether the campaign is in the public archive of the project, with links to the archive and its feed. */
import { useQueryClient } from '@tanstack/react-query'
import { ExternalLink, Rss } from 'lucide-react'
import { useState } from 'react'
import { projectPage } from '../../../addresses.ts'
import type { Schemas } from '../../../data/api.ts'
import { useApi, useCanManage, useProject } from '../../../data/project.ts'
import { Link } from '../../../links.tsx'
import { Card } from '../../../shell/page.tsx'
import { RichText } from '../../../shell/rich-text.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'

const T = texts.archive

export function ArchiveCard({ campaign }: { campaign: Schemas['Campaign'] }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const canManage = useCanManage()
  const { archive } = useProject()
  const isOn = archive?.enabled === true
  const { id, isPublic, status } = campaign
  /** What was chosen, until it is saved. */
  const [chosen, setChosen] = useState<boolean>()
  const setPublic = async (isPublic: boolean) => {
    setChosen(isPublic)
    const { data, error } = await api.campaigns.patch(id, { isPublic })
    setChosen(undefined)
    if (error) return toast.failed(error)
    queries.setQueryData([projectId, 'campaigns', id], data)
    toast.done(isPublic ? T.shown : T.hidden)
  }
  const settings = (label: string) => (
    <Link to={projectPage(projectId, 'settings', { tab: 'sending' })} className="underline">
      {label}
    </Link>
  )
  const folder = isOn ? `/archive/${archive.slug}` : undefined
  return (
    <Card title={T.title} lead={T.lead}>
      <div className="space-y-3">
        <Checkbox
          label={T.show}
          hint={isPublic && status !== 'SENT' ? T.onceSent : undefined}
          checked={chosen ?? isPublic}
          onChange={(event) => void setPublic(event.target.checked)}
        />
        {folder === undefined ? (
          <p className="text-sm text-soft">
            <RichText text={canManage ? T.off : T.offForMembers} elements={{ link: settings }} />
          </p>
        ) : (
          <ul className="flex flex-wrap gap-x-5 gap-y-2 text-sm [&_a]:inline-flex [&_a]:items-center [&_a]:gap-1.5 [&_svg]:size-4 [&_svg]:shrink-0">
            {isPublic && status === 'SENT' && (
              <li>
                <a href={`${folder}/${id}`} target="_blank" rel="noreferrer" className="underline">
                  <ExternalLink aria-hidden /> {T.openCampaign}
                </a>
              </li>
            )}
            <li>
              <a href={folder} target="_blank" rel="noreferrer" className="underline">
                <ExternalLink aria-hidden /> {T.openArchive}
              </a>
            </li>
            <li>
              <a href={`${folder}/feed.xml`} target="_blank" rel="noreferrer" className="underline">
                <Rss aria-hidden /> {T.openFeed}
              </a>
            </li>
          </ul>
        )}
      </div>
    </Card>
  )
}
