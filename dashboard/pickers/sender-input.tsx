/** A sender address, with suggestions on the verified domains of the project. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../data/api.ts'
import { useApi } from '../data/project.ts'
import { Combobox, type ComboboxProps } from './combobox.tsx'

interface SenderInputProps extends Pick<ComboboxProps, 'label' | 'placeholder' | 'required' | 'error' | 'hint'> {
  value: string
  onChange(address: string): void
}

const COMMON = ['hello', 'news', 'support']

export function SenderInput({ value, onChange, ...rest }: SenderInputProps) {
  const { projectId, api } = useApi()
  const { data: domains = [] } = useQuery({
    queryKey: [projectId, 'domains'],
    queryFn: () => unwrap(api.domains.list(projectId)),
  })
  const [typed = ''] = value.trim().split('@')
  const names = typed === '' ? COMMON : [typed]
  const verified = domains.filter((domain) => domain.verified)
  const addresses = verified.flatMap(({ domain }) => names.map((name) => `${name}@${domain}`))
  return (
    <Combobox
      {...rest}
      free
      type="email"
      value={value}
      choices={addresses.map((address) => ({ value: address, label: address }))}
      onChoose={onChange}
    />
  )
}
