/** Creates a project and shows its secret key once. */
import { type FormEvent, useState } from 'react'
import { accountPage, projectPage } from '../../addresses.ts'
import { projectsQuery, queryClient, rememberSecret, type Schemas, userApi } from '../../data/api.ts'
import { useAction } from '../../data/use-action.ts'
import { Link } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { CopyValue } from '../../ui/copy.tsx'
import { fieldError, Input } from '../../ui/field.tsx'
import { AccountFrame, linkLook } from '../accounts/frame.tsx'
import { texts } from './texts.ts'

export function CreateProjectPage() {
  const [name, setName] = useState('')
  const [created, setCreated] = useState<Schemas['ProjectWithKeys']>()
  const { run, busy, error, problem } = useAction()
  const createProject = async (event: FormEvent) => {
    event.preventDefault()
    const done = await run(userApi.projects.create({ name }))
    if (!done) return
    rememberSecret(done.data.id, done.data.secret)
    await queryClient.invalidateQueries(projectsQuery)
    setCreated(done.data)
  }

  if (created) return <Keys project={created} />
  return (
    <AccountFrame
      title={texts.title}
      lead={texts.lead}
      below={
        <Link to={accountPage('/')} className={linkLook}>
          {texts.back}
        </Link>
      }
    >
      <form onSubmit={createProject} className="space-y-4">
        <Input
          label={texts.name}
          required
          autoFocus
          maxLength={100}
          placeholder={texts.namePlaceholder}
          value={name}
          error={fieldError(error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        {problem && <Problem error={problem} shown={['name']} />}
        <Button kind="primary" type="submit" busy={busy} className="w-full">
          {texts.submit}
        </Button>
      </form>
    </AccountFrame>
  )
}

const Keys = ({ project }: { project: Schemas['ProjectWithKeys'] }) => (
  <AccountFrame title={texts.readyTitle(project.name)} lead={texts.readyLead}>
    <dl className="space-y-4 text-sm">
      <div>
        <dt className="font-medium">{texts.secretKey}</dt>
        <dd>
          <CopyValue text={project.secret} label={texts.copySecretKey} />
        </dd>
      </div>
      <div>
        <dt className="font-medium">{texts.publicKey}</dt>
        <dd>
          <CopyValue text={project.public} label={texts.copyPublicKey} />
        </dd>
      </div>
    </dl>
    <div className="mt-6">
      <LinkButton kind="primary" to={projectPage(project.id, '/')}>
        {texts.open}
      </LinkButton>
    </div>
  </AccountFrame>
)
