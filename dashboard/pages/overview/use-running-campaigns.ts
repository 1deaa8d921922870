import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'

const EACH_MAX = 5
/** More would push everything else off the page. */
const HELD_MAX = 20

const newest = { sort: 'updatedAt', dir: 'desc', content: 'false' } as const

/** Campaigns that are being sent or scheduled. */
export function useRunningCampaigns() {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'campaigns', 'running'],
    queryFn: async () => {
      const pages = await Promise.all(
        (['SENDING', 'SCHEDULED'] as const).map((status) =>
          unwrap(api.campaigns.list({ status, ...newest, pageSize: EACH_MAX })),
        ),
      )
      return pages.flatMap(({ data }) => data)
    },
  })
  return data
}

/** Campaigns that could not start or continue. */
export function useHeldCampaigns() {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'campaigns', 'running', 'held'],
    queryFn: async () => (await unwrap(api.campaigns.list({ held: 'true', ...newest, pageSize: HELD_MAX }))).data,
  })
  return data
}
