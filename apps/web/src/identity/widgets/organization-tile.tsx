import { initialsOf } from '../../ui/avatar.tsx'
import { classNames } from '../../ui/class-names.ts'

const tones = [
  'bg-[#C93B00] text-white',
  'bg-[#1D4FA8] text-white',
  'bg-[#136B3F] text-white',
  'bg-[#6B3FA0] text-white',
  'bg-[#8A4B00] text-white',
]

/** The same organization always has the same color. */
const toneOf = (id: string): string =>
  tones[[...id].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997, 7) % tones.length] ?? ''

export interface OrganizationTileProps {
  id: string
  name: string
  imageUrl: string | null
  /** Pixels. */
  size?: 28 | 40 | 64
}

/** Logo or first letter of an organization; decorative, since the name is next to it. */
export function OrganizationTile({ id, name, imageUrl, size = 40 }: OrganizationTileProps) {
  const box = classNames('shrink-0 rounded-[10px]', { 28: 'size-7', 40: 'size-10', 64: 'size-16' }[size])
  if (imageUrl) return <img src={imageUrl} alt="" className={classNames(box, 'bg-white object-contain')} />
  return (
    <span
      aria-hidden
      className={classNames(
        box,
        'grid place-items-center font-semibold',
        size === 64 ? 'text-xl' : 'text-sm',
        toneOf(id),
      )}
    >
      {initialsOf(name.split(' ')[0] ?? name)}
    </span>
  )
}
