/** A new project; its secret key is shown here, once. */
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { person, projectsQuery, queryClient, rememberSecret, type Schemas } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { CopyValue } from '../../parts/copy.tsx'
import { Input, wrongAt } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useAct } from '../../use-act.ts'
import { AccountFrame, linkLook } from '../accounts/frame.tsx'

export function CreateProjectPage() {
  const [name, setName] = useState('')
  const [made, setMade] = useState<Schemas['ProjectWithKeys']>()
  const { act, busy, error, problem } = useAct()
  const creates = async (event: FormEvent) => {
    event.preventDefault()
    const done = await act(person.projects.create({ name }))
    if (!done) return
    rememberSecret(done.data.id, done.data.secret)
    await queryClient.invalidateQueries(projectsQuery)
    setMade(done.data)
  }

  if (made) return <Keys project={made} />
  return (
    <AccountFrame
      title="Create a project"
      lead="A project has its own contacts, templates, domains and keys. One per product is usual."
      below={
        <Link to="/" className={linkLook}>
          Back
        </Link>
      }
    >
      <form onSubmit={creates} className="space-y-4">
        <Input
          label="Name"
          required
          autoFocus
          maxLength={100}
          placeholder="My product"
          value={name}
          wrong={wrongAt(error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        {problem && !wrongAt(error, 'name') && <Problem error={problem} />}
        <Button kind="primary" type="submit" busy={busy} className="w-full">
          Create
        </Button>
      </form>
    </AccountFrame>
  )
}

const Keys = ({ project }: { project: Schemas['ProjectWithKeys'] }) => (
  <AccountFrame title={`${project.name} is ready`} lead="Keep the secret key now: it is not shown again.">
    <dl className="space-y-4 text-sm">
      <div>
        <dt className="font-medium">Secret key, for your servers</dt>
        <dd>
          <CopyValue text={project.secret} label="Copy the secret key" />
        </dd>
      </div>
      <div>
        <dt className="font-medium">Public key, to track events from pages</dt>
        <dd>
          <CopyValue text={project.public} label="Copy the public key" />
        </dd>
      </div>
    </dl>
    <div className="mt-6">
      <LinkButton kind="primary" to={inProjectPath(project.id)}>
        Open the project
      </LinkButton>
    </div>
  </AccountFrame>
)
