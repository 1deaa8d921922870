import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'

const EACH_MAX = 5

/**
 * Campaigns that are being sent or scheduled. Those that were held last come first, because that changes them. Few are
 * loaded, because each comes with its content.
 */
export function useRunningCampaigns() {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'campaigns', 'running'],
    queryFn: async () => {
      const recent = { sort: 'updatedAt', dir: 'desc', pageSize: EACH_MAX } as const
      const pages = await Promise.all(
        (['SENDING', 'SCHEDULED'] as const).map((status) => unwrap(api.campaigns.list({ status, ...recent }))),
      )
      return pages.flatMap(({ data }) => data)
    },
  })
  return data
}
