import type { Annotation } from "../src/annotation.ts";

/** Accession, symbol, term, qualifier, evidence, assigned by, reference. Real terms; evidence is simplified. */
const rows = `
P12345 GOT2    GO:0006103 P involved_in ISS UniProt GO_REF:0000024
P12345 GOT2    GO:0006533 P involved_in ISS UniProt GO_REF:0000024
P12345 GOT2    GO:0006536 P involved_in ISS UniProt GO_REF:0000024
P12345 GOT2    GO:0006869 P involved_in IEA UniProt GO_REF:0000043
P12345 GOT2    GO:0004069 F enables ISS UniProt GO_REF:0000024
P12345 GOT2    GO:0030170 F enables IEA InterPro GO_REF:0000002
P12345 GOT2    GO:0005739 C located_in ISS UniProt GO_REF:0000024
P12345 GOT2    GO:0005759 C located_in IEA UniProt GO_REF:0000044
P12345 GOT2    GO:0005886 C located_in IEA UniProt GO_REF:0000044
Q9H0H5 RACGAP1 GO:0000281 P involved_in IMP UniProt PMID:19468302
Q9H0H5 RACGAP1 GO:0007165 P involved_in IEA InterPro GO_REF:0000002
Q9H0H5 RACGAP1 GO:0007283 P involved_in IEP UniProt PMID:10585858
Q9H0H5 RACGAP1 GO:0032467 P involved_in IMP UniProt PMID:15642749
Q9H0H5 RACGAP1 GO:0051256 P involved_in IBA GO_Central GO_REF:0000033
Q9H0H5 RACGAP1 GO:0005096 F enables IDA UniProt PMID:10979956
Q9H0H5 RACGAP1 GO:0008017 F enables IDA UniProt PMID:11782313
Q9H0H5 RACGAP1 GO:0043014 F enables IDA UniProt PMID:11085985
Q9H0H5 RACGAP1 GO:0005634 C located_in IDA HPA GO_REF:0000052
Q9H0H5 RACGAP1 GO:0030496 C located_in IDA UniProt PMID:11085985
Q9H0H5 RACGAP1 GO:0032154 C located_in IDA UniProt PMID:11085985
Q9H0H5 RACGAP1 GO:0097149 C part_of IDA UniProt PMID:19468300
P04637 TP53    GO:0006281 P involved_in IBA GO_Central GO_REF:0000033
P04637 TP53    GO:0006915 P involved_in IDA UniProt PMID:15738985
P04637 TP53    GO:0008285 P involved_in IDA BHF-UCL PMID:22783376
P04637 TP53    GO:0030330 P involved_in IDA BHF-UCL PMID:20160708
P04637 TP53    GO:0045944 P acts_upstream_of_or_within IDA UniProt PMID:10329733
P04637 TP53    GO:0003677 F enables IDA UniProt PMID:8632903
P04637 TP53    GO:0003700 F enables IDA UniProt PMID:19124506
P04637 TP53    GO:0008270 F enables TAS UniProt PMID:10065153
P04637 TP53    GO:0005634 C located_in IDA UniProt PMID:22726440
P04637 TP53    GO:0005737 C located_in IDA UniProt PMID:22726440
P04637 TP53    GO:0005739 C located_in IDA UniProt PMID:22726440
P69905 HBA1    GO:0015671 P involved_in IDA UniProt PMID:19740759
P69905 HBA1    GO:0042744 P involved_in IDA BHF-UCL PMID:19740759
P69905 HBA1    GO:0005344 F enables IBA GO_Central GO_REF:0000033
P69905 HBA1    GO:0019825 F enables IDA BHF-UCL PMID:19740759
P69905 HBA1    GO:0020037 F enables IEA InterPro GO_REF:0000002
P69905 HBA1    GO:0005829 C located_in TAS Reactome PMID:19740759
P69905 HBA1    GO:0005833 C part_of IDA BHF-UCL PMID:19740759
P01308 INS     GO:0006006 P involved_in IEA UniProt GO_REF:0000043
P01308 INS     GO:0008286 P involved_in IDA UniProt PMID:8440175
P01308 INS     GO:0042593 P involved_in IMP BHF-UCL PMID:20843777
P01308 INS     GO:0005158 F enables IPI UniProt PMID:8440175
P01308 INS     GO:0005179 F enables NAS UniProt PMID:6243748
P01308 INS     GO:0005576 C located_in TAS Reactome PMID:6243748
P01308 INS     GO:0005615 C located_in IDA UniProt PMID:16502470
`;

const aspects: Readonly<Record<string, string>> = {
  P: "biological_process",
  F: "molecular_function",
  C: "cellular_component",
};

/** Annotations of the stub, in the shape of the real service. */
export const annotations: readonly Annotation[] = rows
  .trim()
  .split("\n")
  .map((row, index) => {
    const [
      accession = "",
      symbol = "",
      goId = "",
      aspect = "",
      qualifier = "",
      goEvidence = "",
      assignedBy = "",
      reference = "",
    ] = row.split(/\s+/);
    const geneProductId = `UniProtKB:${accession}`;
    const goAspect = aspects[aspect] ?? "";
    return {
      id: `${geneProductId}!${296_618_610 + index}`,
      geneProductId,
      qualifier,
      goId,
      goAspect,
      goEvidence,
      assignedBy,
      symbol,
      reference,
    };
  });
