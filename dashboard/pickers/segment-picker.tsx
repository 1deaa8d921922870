/** Selects a segment. All of them are one list, because a project has few. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { pickerTexts } from '../shell/texts.ts'
import { Picker } from './picker.tsx'

export function useSegments() {
  const { projectId, api } = useApi()
  return useQuery({ queryKey: [projectId, 'segments'], queryFn: () => unwrap(api.segments.list()) }).data
}

interface SegmentPickerProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: string
  onChoose(id: string): void
}

export function SegmentPicker({ value, ...rest }: SegmentPickerProps) {
  const segments = useSegments()
  return (
    <Picker
      {...rest}
      kind="segment"
      placeholder={pickerTexts.segmentPlaceholder}
      value={value}
      chosenLabel={value && segments ? pickerTexts.gone : undefined}
      choices={(segments ?? []).map(({ id, name, memberCount }) => ({
        value: id,
        label: name,
        note: pickerTexts.segmentSize(memberCount),
      }))}
    />
  )
}
