import { locales } from '@tour-ops/contract/locales'
import { parseAst, type Plugin } from 'vite'

const messageModule = /\/src\/paraglide\/messages\/(?!_index\b)\w+\.js$/
const speechModule = 'virtual:speech'

/**
 * Returns a message in the language of the page, with what messages need for that. In addition to what the message compiler provides, the
 * engine's plural and number formatters are created once per language: creating them costs more than any message.
 */
export const speech = (runtime: string): string => `
import { getLocale, locales } from ${JSON.stringify(runtime)}
const rules = new Map()
const once = (key, make) => {
  if (!rules.has(key)) rules.set(key, make())
  return rules.get(key)
}
export const say = (...texts) => (inputs) => {
  const text = texts[locales.indexOf(getLocale())]
  return typeof text === 'string' ? text : text(inputs)
}
export const plural = (locale, input, options) =>
  once('p' + locale + JSON.stringify(options), () => new Intl.PluralRules(locale, options)).select(Number(input))
export const number = (locale, input, options) =>
  once('n' + locale + JSON.stringify(options), () => new Intl.NumberFormat(locale, options)).format(Number(input))
`

/**
 * Makes the modules that the compiler of the messages writes small: a sentence is a text or a function of its inputs in each language, and
 * one function for all of them chooses. Written out, that choice takes more room in the build than the words, and each of its functions is
 * compiled at start.
 */
export function compactMessages(): Plugin {
  let runtime = ''
  return {
    name: 'compact-messages',
    apply: 'build',
    resolveId: (source) => (source === speechModule ? `\0${speechModule}` : undefined),
    load: (id) => (id === `\0${speechModule}` ? speech(runtime) : undefined),
    configResolved({ root }) {
      runtime = `${root}/src/paraglide/runtime.js`
    },
    transform: {
      filter: { id: messageModule },
      handler: (code) => ({ code: compactMessage(code, speechModule), map: null }),
    },
  }
}

type Statement = ReturnType<typeof parseAst>['body'][number]
type Expression = Extract<Statement, { type: 'ExpressionStatement' }>['expression']

/**
 * One module as the compiler writes it, made small. A number for which a language has no form of its own takes the last one, where the
 * compiler would show the key.
 *
 * @param from Module that brings `say`, `plural` and `number`.
 * @throws Where the module has another shape than this compiler's: then it changed, and this file has to as well.
 */
export function compactMessage(code: string, from: string): string {
  const { body } = parseAst(code)
  const constants = new Map(body.flatMap(constantsOf))
  const exported = body.flatMap(exportOf)[0]
  if (!exported) throw new Error(`No message in: ${code}`)
  const texts = locales.map((locale) => {
    const text = constants.get(`${locale}_${exported.local}`)
    if (!text) throw new Error(`"${exported.name}" has no text in "${locale}".`)
    return textOf(code, text)
  })
  return [
    `import * as registry from ${JSON.stringify(from)}`,
    `const sentence = /* @__PURE__ */ registry.say(${texts.join(', ')})`,
    `export { sentence as ${JSON.stringify(exported.name)} }`,
    '',
  ].join('\n')
}

function constantsOf(statement: Statement): [string, Expression][] {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  if (declaration?.type !== 'VariableDeclaration') return []
  return declaration.declarations.flatMap(({ id, init }) => (id.type === 'Identifier' && init ? [[id.name, init]] : []))
}

/** Names that are no identifiers are exported as text. */
function exportOf(statement: Statement): { local: string; name: string }[] {
  if (statement.type !== 'ExportNamedDeclaration') return []
  const declared = constantsOf(statement).map(([name]) => ({ local: name, name }))
  const named = statement.specifiers.flatMap(({ local, exported }) =>
    local.type === 'Identifier' && exported.type === 'Literal' ? [{ local: local.name, name: exported.value }] : [],
  )
  return [...declared, ...named]
}

/** The text itself where it takes nothing, otherwise a function. */
function textOf(code: string, text: Expression): string {
  const source = (node: { start: number; end: number } | null): string => (node ? code.slice(node.start, node.end) : '')
  if (text.type !== 'ArrowFunctionExpression' || text.body.type !== 'BlockStatement') throw unknownShape(source(text))
  const { body } = text.body
  const values = body.filter((statement) => statement.type === 'ReturnStatement')
  const choices = body.filter((statement) => statement.type === 'IfStatement')
  const constants = body.filter((statement) => statement.type === 'VariableDeclaration')
  if (values.length !== 1 || values.length + choices.length + constants.length !== body.length)
    throw unknownShape(source(text))
  const written = choices.map(({ test, consequent }) => {
    if (consequent.type !== 'ReturnStatement') throw unknownShape(source(text))
    return { test: source(test), value: source(consequent.argument) }
  })
  // What the compiler writes after its choices is the key.
  const last = written.pop()?.value ?? source(values[0]?.argument ?? null)
  if (body.length === 1 && /^`[^$`]*`$/.test(last)) return last
  const sentence = [...written.map(({ test, value }) => `${test} ? ${value} : `), last].join('')
  return `(i) => { ${constants.map(source).join(' ')} return ${sentence} }`
}

const unknownShape = (source: string): Error =>
  new Error(`The compiler of the messages writes another shape: ${source}`)
