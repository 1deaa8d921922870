/** Selects a campaign by name. The last created ones are first. */
import { useQuery } from '@tanstack/react-query'
import { type Schemas, unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { pickerTexts } from '../shell/texts.ts'
import { statusLabel } from '../ui/badge.tsx'
import { Picker } from './picker.tsx'
import { useServerChoices } from './use-server-choices.ts'

const FOUND_MAX = 20

interface CampaignPickerProps {
  label: string
  hideLabel?: boolean
  value: string
  onChoose(id: string): void
}

const choiceOf = ({ id, name, status }: Pick<Schemas['Campaign'], 'id' | 'name' | 'status'>) => ({
  value: id,
  label: name,
  note: statusLabel('campaigns', status),
})

export function CampaignPicker({ value, ...rest }: CampaignPickerProps) {
  const { projectId, api } = useApi()
  const { data: chosen, isError } = useQuery({
    queryKey: [projectId, 'campaigns', value],
    enabled: value !== '',
    queryFn: () => unwrap(api.campaigns.get(value)),
  })
  const server = useServerChoices('campaigns', async (search) => {
    const { data } = await unwrap(
      api.campaigns.list({ pageSize: FOUND_MAX, content: 'false', ...(search && { search }) }),
    )
    return data.map(choiceOf)
  })
  return (
    <Picker
      {...rest}
      kind="campaign"
      placeholder={pickerTexts.campaignPlaceholder}
      value={value}
      chosenLabel={isError ? pickerTexts.gone : chosen?.name}
      {...server}
    />
  )
}
