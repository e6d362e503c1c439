// Words of protein functions in Chinese and as annotation, which is English, has them. Terms of 《生物化学与分子生物学名词》 (全国科学技术名词审定委员会).
const functions = `
过氧化氢酶 catalase|过氧化物酶 peroxidase|超氧化物歧化酶 superoxide dismutase|激酶 kinase|蛋白激酶 protein kinase|磷酸酶 phosphatase
转录因子 transcription factor|σ因子 sigma factor|核糖体 ribosome|核糖体蛋白 ribosomal protein|组蛋白 histone|膜蛋白 membrane protein
转运蛋白 transporter|受体 receptor|通道 channel|解旋酶 helicase|连接酶 ligase|聚合酶 polymerase|DNA聚合酶 DNA polymerase|RNA聚合酶 RNA polymerase
拓扑异构酶 topoisomerase|促旋酶 gyrase|脱氢酶 dehydrogenase|还原酶 reductase|氧化酶 oxidase|合酶 synthase|合成酶 synthetase|水解酶 hydrolase
转移酶 transferase|甲基转移酶 methyltransferase|乙酰转移酶 acetyltransferase|糖基转移酶 glycosyltransferase|蛋白酶 protease|肽酶 peptidase|脂肪酶 lipase
核酸酶 nuclease|内切酶 endonuclease|外切酶 exonuclease|异构酶 isomerase|裂解酶 lyase|变位酶 mutase|羧化酶 carboxylase|脱羧酶 decarboxylase
几丁质酶 chitinase|纤维素酶 cellulase|淀粉酶 amylase|转座酶 transposase|整合酶 integrase|泛素 ubiquitin|伴侣蛋白 chaperone|热休克蛋白 heat shock protein
细胞色素 cytochrome|铁氧还蛋白 ferredoxin|硫氧还蛋白 thioredoxin|微管蛋白 tubulin|肌动蛋白 actin|锌指 zinc finger|同源异型框 homeobox
抗原 antigen|毒素 toxin|抗毒素 antitoxin|分泌蛋白 secreted protein|效应子 effector|效应蛋白 effector|脂蛋白 lipoprotein|糖蛋白 glycoprotein
DNA修复 DNA repair|DNA复制 DNA replication|翻译 translation|转录 transcription|剪接 splicing|糖酵解 glycolysis|光合作用 photosynthesis|细胞壁 cell wall
细胞周期 cell cycle|细胞分裂 cell division|减数分裂 meiosis|凋亡 apoptosis|自噬 autophagy|信号转导 signal transduction|应激 stress|外排泵 efflux pump
调控因子 regulator|抑制因子 repressor|激活因子 activator|抑制剂 inhibitor|亚基 subunit|前体 precursor|假定蛋白 hypothetical protein|未知功能 unknown function
线粒体 mitochondrion|叶绿体 chloroplast|细胞核 nucleus|内质网 endoplasmic reticulum|高尔基体 Golgi|液泡 vacuole|过氧化物酶体 peroxisome|着丝粒 centromere
端粒 telomere|端粒酶 telomerase|启动子 promoter|转座子 transposon|逆转录酶 reverse transcriptase|乙醇脱氢酶 alcohol dehydrogenase|脂肪酸 fatty acid|氨基酸 amino acid`

const byLength = functions
  .trim()
  .split(/[|\n]/)
  .map((pair): [string, string] => {
    const blank = pair.indexOf(' ')
    return [pair.slice(0, blank), pair.slice(blank + 1)]
  })
  .sort(([a], [b]) => b.length - a.length)

/**
 * A question with what it says of functions in Chinese said in English, the longest words first; null where it says nothing that is known
 * here. What else it has stays.
 *
 * Example: `readChineseFunctions('蛋白激酶 katG')` is `{text: 'protein kinase katG', read: [{typed: '蛋白激酶', read: 'protein kinase'}]}`.
 */
export function readChineseFunctions(question: string): {
  text: string
  read: { typed: string; read: string }[]
} | null {
  const read: { typed: string; read: string }[] = []
  let text = question
  for (const [typed, english] of byLength) {
    if (!text.includes(typed)) continue
    read.push({ typed, read: english })
    text = text.replaceAll(typed, ` ${english} `)
  }
  return read.length === 0 ? null : { text: text.replace(/\s+/g, ' ').trim(), read }
}
