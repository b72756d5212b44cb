import { encode } from 'uqr'

export interface QrCodeProps {
  /** Read out instead of the picture. */
  label: string
  text: string
}

/** A QR code, dark on white in every theme: cameras do not read light on dark. */
export function QrCode({ label, text }: QrCodeProps) {
  // a quiet zone of four modules: ISO/IEC 18004, section 6.3.8
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className="size-48 rounded-lg"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
