import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'

/** An address of a verified domain; empty if there is none, undefined while loading. */
export function useDefaultSender(): string | undefined {
  const { projectId, api } = useApi()
  const { data: domains } = useQuery({
    queryKey: [projectId, 'domains'],
    queryFn: () => unwrap(api.domains.list(projectId)),
  })
  if (!domains) return undefined
  const domain = domains.find((one) => one.verified)?.domain
  return domain ? `hello@${domain}` : ''
}
