import { expect, test } from 'vitest'
import { citationFaults } from './check-docs.mjs'

test.each([
  ['a heading that exists', ' * See docs/domain.md, "States".', []],
  ['a heading in the next line of a comment', '// See docs/domain.md,\n// "States".', []],
  [
    'a heading that is gone',
    '/** See docs/domain.md, "Nowhere". */',
    ['names docs/domain.md, "Nowhere", which does not exist'],
  ],
  ['a document that is gone', 'docs/nothing.md, "States"', ['names docs/nothing.md, "States", which does not exist']],
  [
    'a paper of its writers',
    'Source: product description, section 4.3',
    ['cites "product description", which is not in the repository'],
  ],
  ['the specification', '@see Spec, section 9, "Build version check"', []],
  [
    'a section that the specification does not have',
    '@see spec, section 12',
    ['cites "spec, section 12", which docs/spec-coverage.md does not have'],
  ],
  ['our own architecture', '[ARCHITECTURE.md](ARCHITECTURE.md)', []],
])('citations: %s', (_name, text, faults) => {
  expect(citationFaults(text)).toEqual(faults)
})
