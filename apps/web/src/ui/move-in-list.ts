interface Key {
  readonly key: string
}

/** Where an arrow, Home or End key leads in a list of `length`; null for any other key. Wraps around; right-to-left aware. */
export function moveInList(event: Key, at: number, length: number, axis: 'horizontal' | 'vertical'): number | null {
  if (length === 0) return null
  const isRtl = axis === 'horizontal' && typeof document !== 'undefined' && document.dir === 'rtl'
  const [forth, back] =
    axis === 'vertical' ? ['ArrowDown', 'ArrowUp'] : isRtl ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
  switch (event.key) {
    case forth:
      return (at + 1) % length
    case back:
      return (at - 1 + length) % length
    case 'Home':
      return 0
    case 'End':
      return length - 1
    default:
      return null
  }
}
