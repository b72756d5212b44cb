import type { ComponentProps } from 'react'

/** A line of a drawing, as the icon library lists it: element and attributes. */
type IconElement = readonly [string, Readonly<Record<string, string>>]

interface IconData {
  readonly name: string
  readonly node: readonly IconElement[]
}

interface IconProps extends ComponentProps<'svg'> {
  /** Width and height in CSS pixels. */
  readonly size?: number | string
}

const markupOf = ([element, attributes]: IconElement): string => {
  const written = Object.entries(attributes).filter(([name]) => name !== 'key')
  return `<${element} ${written.map(([name, value]) => `${name}="${value}"`).join(' ')}/>`
}

/**
 * The component of an icon, as the icon library's own factory creates it, with the drawing as one string: static content needs no components.
 * It replaces that factory in the built application (`build/lean-icons.ts`). The texts are the library's, no input reaches them.
 */
export function makeIcon({ name, node }: IconData) {
  const drawing = { __html: node.map(markupOf).join('') }
  const classes = `lucide lucide-${name}`
  return function Icon({ size = 24, className, ...more }: IconProps) {
    return (
      <svg
        xmlns="http://www.w3.org/2000/svg"
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        className={className ? `${classes} ${className}` : classes}
        aria-hidden={more['aria-label'] === undefined && more.role === undefined ? true : undefined}
        {...more}
        dangerouslySetInnerHTML={drawing}
      />
    )
  }
}
