import { createLucideIcon } from 'lucide-react'
import type { ComponentProps, ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { makeIcon } from './make-icon.tsx'

type IconProps = ComponentProps<'svg'> & { size?: number }

/** Elements with their attributes in the order of the alphabet. */
function drawn(Icon: ComponentType<IconProps>, props: IconProps) {
  const elements = renderToStaticMarkup(<Icon {...props} />).matchAll(/<(\w+)((?: [\w-]+="[^"]*")*)/gi)
  return [...elements].map(([, element, attributes = '']) => ({
    element,
    attributes: (attributes.match(/[\w-]+="[^"]*"/g) ?? []).toSorted(),
  }))
}

test.each<[string, IconProps]>([
  ['plain', {}],
  ['next to text', { size: 15, className: 'shrink-0 text-ink-2', 'aria-hidden': true }],
  ['with thinner lines', { strokeWidth: 1.5 }],
  ['that says something', { role: 'img', 'aria-label': 'Bus' }],
])('an icon %s is drawn as the icon library draws it', (_case, props) => {
  const path = ['path', { d: 'M8 6v6', key: '1' }] as const
  const circle = ['circle', { cx: '7', cy: '18', r: '2', fill: 'currentColor', key: '2' }] as const
  const Own = makeIcon({ name: 'small-bus', node: [path, circle] })
  expect(drawn(Own, props)).toHaveLength(3)
  expect(drawn(Own, props)).toEqual(drawn(createLucideIcon('small-bus', [[...path], [...circle]]), props))
})
