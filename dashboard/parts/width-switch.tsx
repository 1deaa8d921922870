/** How wide a preview is: as on a desk, or as on a phone. */
import { Monitor, Smartphone } from 'lucide-react'
import { IconButton } from './button.tsx'

const WIDTHS = [
  { label: 'Desktop width', isPhone: false, icon: Monitor },
  { label: 'Phone width', isPhone: true, icon: Smartphone },
]

export const WidthSwitch = ({ phone, onChange }: { phone: boolean; onChange(phone: boolean): void }) => (
  <div className="flex gap-1">
    {WIDTHS.map(({ label, isPhone, icon: Icon }) => (
      <IconButton
        key={label}
        label={label}
        aria-pressed={phone === isPhone}
        className={phone === isPhone ? 'bg-panel text-ink' : ''}
        onClick={() => onChange(isPhone)}
      >
        <Icon />
      </IconButton>
    ))}
  </div>
)
