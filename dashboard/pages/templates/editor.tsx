/** The template editor: the fields of the email, and its content. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi, useProject, useSearchState } from '../../data/project.ts'
import { useDraft } from '../../data/use-draft.ts'
import { documentFromApi } from '../../editor/document/document.ts'
import { showBlock } from '../../editor/show-block.ts'
import { useNameField } from '../../editor/text/variables.tsx'
import { useNavigate } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { EditedResource, Resource } from '../../lists/resource.tsx'
import { ContentChecks } from '../../mail/content-checks.tsx'
import { useDraftHistory, useHistoryKeys } from '../../saving/use-draft-history.ts'
import { useSave } from '../../saving/use-save.tsx'
import { RestoredNotice } from '../../shell/leave-dialog.tsx'
import { Loading, Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { VersionHistory } from '../versions/history.tsx'
import { whoSavedLast } from '../versions/template-version.tsx'
import { ContentEditor } from './content-editor.tsx'
import { blankDraft, checkedOf, type Draft, draftFrom, draftOf, emailOf, partsOf, savedOf } from './draft.ts'
import { EMAIL_FIELDS, EmailFields } from './email-fields.tsx'
import { SendContactTest } from './send-contact-test.tsx'
import { texts } from './texts.ts'
import { useDefaultSender } from './use-default-sender.ts'

export function NewTemplatePage() {
  const [{ gallery }] = useSearchState<'gallery'>()
  const sender = useDefaultSender()
  const project = useProject()
  const nameField = useNameField()
  if (sender === undefined || nameField === undefined) return <Loading />
  const blank = blankDraft(sender, project, nameField)
  return gallery ? <FromGallery key={gallery} slug={gallery} blank={blank} /> : <Editor start={blank} />
}

function FromGallery({ slug, blank }: { slug: string; blank: Draft }) {
  const { projectId, api } = useApi()
  const query = useQuery({
    queryKey: [projectId, 'gallery', slug],
    queryFn: () => unwrap(api.templates.galleryTemplate(slug)),
    refetchOnWindowFocus: false,
  })
  return (
    <Resource
      query={query}
      title={texts.editor.createTitle}
      back={{ to: projectPage(projectId, 'templates/gallery'), label: texts.gallery.title }}
    >
      {({ name, subject, preheader, type, document }) => {
        const content = { name, subject, preheader, type, document: documentFromApi(document) }
        return <Editor gallery={slug} start={{ ...blank, ...content }} />
      }}
    </Resource>
  )
}

export function TemplatePage() {
  const { projectId, api } = useApi()
  return (
    <EditedResource
      of="templates"
      load={(id) => api.templates.get(id)}
      title={texts.editor.title}
      back={{ to: projectPage(projectId, 'templates'), label: texts.title }}
    >
      {(template, id) => <Editor key={id} template={template} start={draftOf(template)} />}
    </EditedResource>
  )
}

interface EditorProps {
  template?: Schemas['Template']
  /** The entry of the gallery that a new template starts from. */
  gallery?: string
  start: Draft
}

function Editor({ template, gallery, start }: EditorProps) {
  const { id, version, updatedAt } = template ?? {}
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const form = useDraft(start, { key: `${projectId}.template.${id ?? gallery ?? 'new'}`, readAt: updatedAt })
  const { draft, saved, changed, restored, discard, replace } = form
  const isSaved = id !== undefined && !changed
  const [revision, setRevision] = useState(0)
  const showReplaced = () => setRevision((before) => before + 1)
  const { set, edit, ...steps } = useDraftHistory(form, showReplaced)
  const fields = useRef<HTMLDivElement>(null)
  useHistoryKeys(fields, steps)
  const showSaved = async (template: Schemas['Template']) => {
    toast.done(texts.editor.saved)
    queries.setQueryData([projectId, 'templates', template.id], template)
    void queries.invalidateQueries({ queryKey: [projectId, 'templates'], refetchType: 'none' })
    if (!id)
      await navigate(projectPage(projectId, 'templates/$id', { id: template.id }), {
        replace: true,
        ignoreBlocker: true,
      })
  }
  const { save, dialog, busy, error, problem } = useSave(form, {
    ...(id && { read: () => api.templates.get(id) }),
    save: (draft, condition) => {
      const template = { name: draft.name, ...savedOf(draft) }
      return id ? api.templates.update(id, template, condition) : api.templates.create(template)
    },
    draftOf,
    partsOf,
    draftFrom,
    whoSaved: (template) => whoSavedLast(api.templates.versions(template.id), template),
    onSaved: showSaved,
    onReplaced: showReplaced,
  })
  const showRestored = (template: Schemas['Template']) => {
    replace(draftOf(template), template.updatedAt)
    showReplaced()
    queries.setQueryData([projectId, 'templates', template.id], template)
  }

  return (
    <Page
      wide
      title={id ? saved.name : texts.editor.createTitle}
      back={{ to: projectPage(projectId, 'templates'), label: texts.title }}
      actions={
        <>
          {id && version && (
            <VersionHistory
              of="templates"
              id={id}
              type={draft.type}
              current={version}
              hasUnsaved={changed}
              onRestored={showRestored}
            />
          )}
          <SendContactTest
            lead={texts.editor.test}
            send={(test) => api.templates.test({ ...test, ...emailOf(draft) })}
            view={({ emailId }) => void navigate(projectPage(projectId, 'emails/$id', { id: emailId }))}
          />
          <Button kind="primary" shortcut="save" busy={busy} saved={isSaved} onClick={() => void save()}>
            {texts.editor.save}
          </Button>
        </>
      }
    >
      {restored && (
        <RestoredNotice
          onDiscard={() => {
            discard()
            showReplaced()
          }}
        />
      )}
      {dialog}
      {problem && (
        <div className="mb-5">
          <Problem error={problem} shown={EMAIL_FIELDS} />
        </div>
      )}
      <div ref={fields} className="space-y-6">
        <EmailFields draft={draft} set={set} error={error} />
        <ContentEditor draft={draft} edit={edit} steps={steps} revision={revision} error={error} />
        <ContentChecks
          draft={checkedOf(draft)}
          isWritten={id !== undefined || draft.subject !== ''}
          onSelectBlock={showBlock}
        />
      </div>
    </Page>
  )
}
