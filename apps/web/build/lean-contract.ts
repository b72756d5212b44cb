import { parseAst, type Plugin } from 'vite'

const contractModule = /\/packages\/contract\/src\/[\w/-]+\.ts$/

/** What only the server reads of a callable: it writes and checks the answers, and describes the calls. */
const ofServer: ReadonlySet<string> = new Set(['output', 'summary'])

/**
 * Leaves out of the browser what only the server needs of the contract: the shapes of answers and the sentences of the API description.
 * The types stay, since only the built code is changed.
 */
export function leanContract(): Plugin {
  return {
    name: 'lean-contract',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: contractModule },
      handler: (code) => ({ code: leanModule(code), map: null }),
    },
  }
}

type Statement = ReturnType<typeof parseAst>['body'][number]
type Expression = Extract<Statement, { type: 'ExpressionStatement' }>['expression']

interface Place {
  readonly start: number
  readonly end: number
}

/**
 * One module of the contract for the browser. Two rules, both about constants of the module and nothing else:
 * - `callable({ … })` loses what only the server reads;
 * - a constant that is made by a call is made only where something uses it: making it changes nothing elsewhere, which the bundler cannot
 *   know of a call. Statements that are no constants, such as the configuration of the schema library, stay as they are.
 */
export function leanModule(code: string): string {
  const { body } = parseAst(code, { lang: 'ts' })
  const values = body.flatMap(valuesOf)
  const edits = values.flatMap((value) => [
    { at: value.start, until: value.start, text: '/* @__PURE__ */ (() => (' },
    ...serverProperties(value).map(({ start, end }) => ({ at: start, until: afterComma(code, end), text: '' })),
    { at: value.end, until: value.end, text: '))()' },
  ])
  return edits
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, until, text: put }) => text.slice(0, at) + put + text.slice(until), code)
}

/** Values of the module's constants that calls make. */
function valuesOf(statement: Statement): Expression[] {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return []
  return declaration.declarations.flatMap(({ init }) => (init?.type === 'CallExpression' ? [init] : []))
}

function serverProperties(value: Expression): Place[] {
  if (value.type !== 'CallExpression' || value.callee.type !== 'Identifier' || value.callee.name !== 'callable')
    return []
  const [definition] = value.arguments
  if (definition?.type !== 'ObjectExpression')
    throw new Error('A callable is defined by an object that is written out.')
  return definition.properties.filter(
    (property) => property.type === 'Property' && property.key.type === 'Identifier' && ofServer.has(property.key.name),
  )
}

const afterComma = (code: string, end: number): number => end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0)
