import { classNames } from './class-names.ts'

/** First letters of the first and last word, `Íris Jónsdóttir` → `ÍJ`. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words
  return picked.map((word) => Array.from(word ?? '')[0]?.toLocaleUpperCase() ?? '').join('')
}

export interface AvatarProps {
  name: string
  /** Pixels. */
  size?: number | undefined
  /** The person at the screen or the one a page is about. */
  tinted?: boolean | undefined
  imageUrl?: string | null | undefined
}

/** Initials or a picture in a disc; decorative, since the name is next to it or on its button. */
export function Avatar({ name, size = 32, tinted, imageUrl }: AvatarProps) {
  const box = { width: size, height: size, fontSize: Math.max(10, Math.round(size * 0.37)) }
  if (imageUrl) return <img src={imageUrl} alt="" className="shrink-0 rounded-full object-cover" style={box} />
  return (
    <span
      aria-hidden
      style={box}
      className={classNames(
        'grid shrink-0 place-items-center rounded-full font-semibold',
        tinted ? 'bg-brand-tint text-brand-strong' : 'bg-surface-2 text-neutral',
      )}
    >
      {initialsOf(name)}
    </span>
  )
}
