/** A QR code as an SVG path. Always dark on light, because not every scanner reads inverted codes. */
import encodeQR from 'qr'

/** The quiet zone that scanners need around a code. */
const BORDER = 3

export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { border: BORDER })
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="size-44 rounded-part border border-line bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
