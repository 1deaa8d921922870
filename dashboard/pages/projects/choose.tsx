/** The start page: opens the last used project, or the page that creates the first one. */
import { useQuery } from '@tanstack/react-query'
import { accountPage, projectPage } from '../../addresses.ts'
import { projectsQuery } from '../../data/api.ts'
import { isSignedOut } from '../../data/errors.ts'
import { Redirect } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Loading } from '../../shell/page.tsx'

export function ChoosePage() {
  const { data: projects, error, refetch } = useQuery(projectsQuery)
  if (error && isSignedOut(error)) return <Redirect to={accountPage('/sign-in')} />
  if (error) {
    return (
      <main className="mx-auto max-w-xl p-8">
        <Problem error={error} retry={() => void refetch()} />
      </main>
    )
  }
  if (!projects) return <Loading />
  const last = localStorage.getItem('posthorn.project')
  const project = projects.find(({ id }) => id === last) ?? projects[0]
  return <Redirect to={project ? projectPage(project.id, '/') : accountPage('/projects/new')} />
}
